"""Documents to print: certificates, score sheets and rulebook leaflets, as plain values and as PDF."""
