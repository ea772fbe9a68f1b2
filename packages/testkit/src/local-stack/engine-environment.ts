/** The variables by which a program is found and starts. The rest of our environment may hold secrets, which an engine does not need. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'USER', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ'],
  ...['JAVA_HOME', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'MALLOC_ARENA_MAX'],
];

/** The environment of an engine: the variables that it needs from this process, overridden by `own`. */
export function engineEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  return { ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])), ...own };
}
