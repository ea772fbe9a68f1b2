/**
 * The environment of a process that a test starts: `variables`, and of our own what makes it start, sooner where compiled code
 * is kept.
 */
export const processEnvironment = (
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  ...variables,
});
