/** Work in steps, each of which takes a few milliseconds at most: in between the caller may let the event loop run. */
export type Steps<T> = Generator<undefined, T>;

/** What `steps` come to, without any pause. */
export function finished<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
