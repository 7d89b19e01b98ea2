// A value that is worked out once for as long as what it was made of is the same object.

/** `make`, which is not asked again for the object that it was asked for last; that must not change. */
export function memoizeLast<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return (from) => {
    if (from !== last?.from) last = { from, made: make(from) };
    return last.made;
  };
}
