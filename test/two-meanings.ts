// Exported names of types that still mean something else in two or more files, with the reason. No name may be added.
export const TWO_MEANINGS: readonly string[] = [
  'Candle', // of strategies (`tickwright`) and of exchanges (`tickwright/venue`): two entry points of the package, whose names stay
];
