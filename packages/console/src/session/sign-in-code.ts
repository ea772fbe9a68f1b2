/** The code as it is sent: digits can be typed in groups. The code of an operator has hyphens of its own. */
export function sentCode(typed: string): string {
  const withoutSpaces = typed.replace(/\s/g, '');
  const digits = withoutSpaces.replace(/-/g, '');
  return /^\d+$/.test(digits) ? digits : withoutSpaces;
}

/** The code that the link of a mail carries, in the part of the address that no server sees. */
export function codeOfFragment(fragment: string): string | undefined {
  const code = new URLSearchParams(fragment.replace(/^#/, '')).get('code')?.trim();
  return code === '' ? undefined : code;
}
