const MAIL = /[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}/g;
/** Country code, hyphen, number (U3), or the international form. Ids and dates are guarded by what stands before. */
const PHONE = /(?<![\w-])(?:\d{1,3}-\d{6,15}|\+\d{7,15})(?![\w-])/g;
const CREDENTIAL = /\b((?:GenieKey|ServiceKey|Basic|Bearer)\s+|apiKey=)[^\s"&\\]+/gi;

/** Replaces mail addresses, phone numbers and credentials in a line of the log, wherever they stand in it. */
export function redact(line: string): string {
  return line.replace(CREDENTIAL, '$1[redacted]').replace(MAIL, '[mail]').replace(PHONE, '[phone]');
}

/** Fields whose values never reach the log, whatever they hold. */
export const SECRET_FIELDS: readonly string[] = ['apiKey', 'authorization', 'password', 'key'].flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
]);
