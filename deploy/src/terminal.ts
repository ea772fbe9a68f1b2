/** Everything that the commands of this folder say goes through here. */
export const terminal = {
  /** A line of progress or a result. */
  say(line = ''): void {
    process.stdout.write(`${line}\n`);
  },
  /** A line that asks for attention. */
  complain(line: string): void {
    process.stderr.write(`${line}\n`);
  },
};
