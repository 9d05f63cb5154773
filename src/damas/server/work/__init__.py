"""Work that takes a processor for a while, in processes beside the one that plays: rules, files, reports, passwords."""
