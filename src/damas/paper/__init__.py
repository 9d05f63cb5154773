"""Documents to print: certificates, score sheets, rulebook leaflets, tournament papers and cards of pupils, as plain values and as PDF."""
