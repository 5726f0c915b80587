/** Makes a value at its first use, and keeps it. What `make` throws is not kept. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
