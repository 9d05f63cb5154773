/** The boards at which people sit: of a round of individuals, or of all matches of a league. */

/** @import { BoardView, ReportView, RoundView, TournamentView } from './messages.js' */

/**
 * @typedef {object} Seat a board with two people
 * @property {string} place its number; `1.2` is board 2 of match 1
 * @property {number} board @property {number} match_board 0 where people play for themselves
 * @property {string} first @property {string} second @property {boolean} firstIsWhite in the first game
 * @property {string[]} teams of the two; empty where people play for themselves
 * @property {string} games @property {string} result
 * @property {ReportView[]} reports @property {string[]} app_games
 */

/** @param {TournamentView} tournament whether its competitors are teams */
export const isLeague = ({ boards }) => boards.length > 0;

/** @param {BoardView} board of an individual tournament @returns {Seat} */
export const individualSeat = (board) => ({ ...board, place: String(board.board), match_board: 0,
  firstIsWhite: true, teams: [] });

/** @param {BoardView} match @returns {Seat[]} */
export const seatsOfMatch = (match) => match.match_boards.map((seat) => ({ ...seat, board: match.board,
  place: `${match.board}.${seat.board}`, match_board: seat.board, firstIsWhite: seat.board % 2 === 1,
  teams: [match.first, match.second] }));

/** Every board of a round. @param {TournamentView} tournament @param {RoundView} round @returns {Seat[]} */
export const seatsOf = (tournament, { boards }) => (isLeague(tournament)
  ? boards.flatMap(seatsOfMatch) : boards.map(individualSeat));

/** Whether something is about a board of a round. @param {number} round @param {Seat} seat */
export const isAbout = (round, seat) =>
  (/** @type {{round: number, board: number, match_board: number}} */ each) =>
    each.round === round && each.board === seat.board && each.match_board === seat.match_board;

/** The board in a request. @param {number} round @param {Seat} seat */
export const placeOf = (round, { board, match_board }) => ({ round, board,
  ...(match_board > 0 && { match_board }) });
