/** One part of a setting such as `sms=3,email=off`. */
interface NamedValue {
  /** As it is written, to be named where it is wrong. */
  readonly part: string;
  /** In lower case, as `value` is; empty where there is none. */
  readonly name: string;
  readonly value: string;
}

/** The parts of a setting that gives values to names, separated by commas. */
export const namedValues = (written: string): readonly NamedValue[] =>
  written
    .split(',')
    .flatMap((each) => each.trim() || [])
    .map((part) => {
      const [name = '', value = ''] = part.split('=', 2).map((each) => each.trim().toLowerCase());
      return { part, name, value };
    });
