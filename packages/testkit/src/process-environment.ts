/** The environment of a process that a test starts: `variables`, and those of our own that it needs to start, and to find compiled code. */
export const processEnvironment = (
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  ...variables,
});
