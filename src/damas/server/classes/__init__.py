"""Classes of a school: pasted names, PINs, pairing, the boards of a lesson, homework and what each pupil has done."""
