/** The parts of a thing that a test is about, in its place: whatever else is used of it fails the test by itself. */
export const standIn = <Whole extends object>(parts: object): Whole => parts as Whole;
