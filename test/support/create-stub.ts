/** Returns an object with only the parts that a test needs. Using any other part fails the test. */
export const createStub = <Whole extends object>(parts: object): Whole => parts as Whole;
