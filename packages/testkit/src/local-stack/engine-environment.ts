/** What a program needs to be found and to run; the rest of our environment may hold secrets, and an engine has no use for them. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'USER', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ'],
  ...['JAVA_HOME', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'MALLOC_ARENA_MAX'],
];

/** The environment of an engine: what it needs of this process, and `own` over it. */
export function engineEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  return { ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])), ...own };
}
