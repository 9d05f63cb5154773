"""The tokens of PDN, as regular expressions that take linear time on any input."""

import re

_NAME = r"[A-Za-z][A-Za-z0-9_-]*"
TAG_LINE = re.compile(rf'\s*\[\s*{_NAME}\s*"')
"""A line that begins or continues the header of a game."""
_PLACE = r"[0-9]{1,2},[0-9]{1,2}"
_MAX_SPACED_SQUARES = 40
SPACED = re.compile(rf"{_PLACE}(?:[ \t]+{_PLACE})+")
"""Squares as the contest writes them, in rows and columns with spaces between: a move, or several."""
_WORD = r'[^\s{}()\[\];$!?*%"]*'
TOKEN = re.compile(
    rf"""
      (?:[0-9]+\.[.\s]*)?                                           # the move's number
      (?P<word> {_PLACE} (?:[ \t]{{1,8}}{_PLACE}){{1,{_MAX_SPACED_SQUARES}}} (?![0-9,x:-]) |                 # 2,2 4,4
                (?![0-9]+\.) [0-9A-Za-z\u00d7\u2013] {_WORD} (?:(?<=[-x:])\s+[0-9]{_WORD})* )    # 32-28, 1- 7
    | [0-9]+\.[.\s]* | \.{{2,}}                                     # a number alone, an ellipsis
    | (?P<comment> \{{ [^}}]* \}} )
    | (?P<unclosed> \{{ .* )
    | (?P<line> ; .* )
    | ^ \s* % .*                                                    # an escaped line
    | (?P<signs> \([!?]+\) | [!?]+ )
    | \$ (?P<nag> [0-9]{{1,3}} ) (?![0-9])
    | (?P<enter> \( )
    | (?P<leave> \) )
    | (?P<star> \* )
    | \[\s* (?P<tag> {_NAME} ) \s* " (?P<value> (?:[^"\\]|\\.)* ) " \s*\]
    | (?P<setup> /[^/]*/? )
    | (?P<odd> \S )
    """,
    re.VERBOSE | re.DOTALL,
)
"""Every character but white space belongs to some token. Tokens without a group name are skipped."""
LOOSE_TAG = re.compile(rf'\[\s*(?P<tag>{_NAME})\s*"(?P<value>.*)"\s*\]\s*')
"""A tag whose value has unescaped quotes; it ends with the line."""
STRUCTURE = re.compile(
    rf"""
      \{{ [^}}]* \}}
    | (?P<unclosed> \{{ .* )
    | ; .*
    | ^ \s* % .*
    | \([!?]+\)
    | (?P<enter> \( )
    | (?P<leave> \) )
    | (?P<tag> \[\s* {_NAME} \s* " (?:[^"\\]|\\.)* " \s*\] )
    | (?<![^\s(){{}}\].!?]) (?P<result> 1-0 | 0-1 | 2-0 | 0-2 | 1-1 | 0-0 | 1/2-1/2 | \* ) (?![^\s(){{}}\[;!?$*])
    """,
    re.VERBOSE | re.DOTALL,
)
"""What must be known of a text that is passed over: comments, variations, tags and results."""
FILE_NAME = re.compile(r"\s*[^\s\[\]{}();%*][^\[\]{};\n\r]{0,1000}\.pdn\s*", re.IGNORECASE)
"""A text that is the name of a file rather than PDN."""
