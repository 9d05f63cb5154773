"""Documents to print: certificates, score sheets, rulebook leaflets and tournament papers, as plain values and as PDF."""
