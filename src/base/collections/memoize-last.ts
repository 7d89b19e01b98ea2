// Memoizes the last result of a function of one object.

/** Wraps `make` so that it is not called again for the same object as in the previous call. The object must not change. */
export function memoizeLast<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return (from) => {
    if (from !== last?.from) last = { from, made: make(from) };
    return last.made;
  };
}
