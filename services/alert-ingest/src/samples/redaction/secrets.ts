/** Stands where a secret was. */
export const REDACTED = '***';

/** Whether a UUID is a key of the integration that got the request. */
export type IsKey = (uuid: string) => boolean;

/** In a name without its separators. */
const SECRET_PART =
  /pass(?:w(?:or)?d|phrase|code)|secret|token|credential|cookie|signature|authorization|authorisation|bearer|(?:access|api|private|shared)key/;
/** As a word of a name: `auth` is a secret, `author` is none. */
const SECRET_WORD = /(?<![a-z0-9])(?:auth|jwt|otp|pass|pwd|sig)(?![a-z0-9])/;
const MAYBE_SECRET_WORD = /auth|jwt|otp|pass|pwd|sig/;
/** The length of the shortest of all these. */
const SHORTEST = 3;
/** What names a key by which alerts are known, which the alias has as well. All other keys are taken for secrets. */
const ALERT_KEY =
  /^(?:alert|dedup|deduplication|event|group|idempotency|incident|issue|item|problem|project|rule)?keys?$/;

/**
 * Whether the value of a field, header or parameter of this name is taken for a secret. A text has tens of thousands of names, so most take few
 * comparisons.
 */
export function isSecretName(name: string): boolean {
  if (name.length < SHORTEST) return false;
  const lower = name.toLowerCase();
  const plain = /[^a-z0-9]/.test(lower) ? lower.replaceAll(/[^a-z0-9]/g, '') : lower;
  if (SECRET_PART.test(plain)) return true;
  if (/keys?$/.test(plain)) return !ALERT_KEY.test(plain);
  return MAYBE_SECRET_WORD.test(lower) && SECRET_WORD.test(name === lower ? lower : inWords(name));
}

const inWords = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const JSON_WEB_TOKEN = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;
/** A login in a URL. */
const LOGIN = /(:\/\/)[^\s/?#@"']{1,300}@/g;
const SCHEME = /\b(Basic|Bearer|GenieKey|Digest)\s+\S{6,}/gi;
/** Headers whose value goes on to the end of the line. */
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\*["']?\s{0,5}[:=]\s{0,5}\\*["']?)(?![[{(])[^\r\n"']+/gi;
/** A name to which a value is assigned, as in JSON, a query, a log or a file of settings, or that another text follows. */
const ASSIGNED = /(?<![\w.-])([\w.-]{1,100})(?:\\*["']?\s{0,5}(?:=>|[:=])|\\*["']\s{0,5}(,)(?=\s{0,5}\\*["']))\s{0,5}/g;
/** A value without parts. */
const VALUE = /"(?:[^"\\]|\\.)*"?|\\+"[^"]*"?|'[^']*'?|[^\s&;,"'<>{}()[\]\\]+/y;
const OPENING = ['{', '[', '('];
/** An element of XML without parts. */
const ELEMENT = /<([\w:.-]{1,100})(\s[^<>]{0,300})?>[^<]+/g;
/** An attribute of an element that names its content. */
const NAMED = /\b(?:name|key|id|field)\s*=\s*["']?([\w.-]{1,100})/i;

/**
 * The text without what is taken for a secret in it: keys of the integration, logins of URLs, credentials after a scheme, and what is assigned
 * to a secret name. It ends before a value with parts that is assigned to one, and before a text that follows one. Takes time in proportion to
 * the text.
 */
export function withoutSecrets(text: string, isKey: IsKey): string {
  return withoutAssigned(
    text
      .replaceAll(UUID, (uuid) => (isKey(uuid) ? REDACTED : uuid))
      .replaceAll(JSON_WEB_TOKEN, REDACTED)
      .replaceAll(LOGIN, `$1${REDACTED}@`)
      .replaceAll(SCHEME, `$1 ${REDACTED}`)
      .replaceAll(HEADER, `$1$2${REDACTED}`)
      .replaceAll(ELEMENT, (whole, name: string, attributes: string | undefined) =>
        isSecretName(name) || isSecretName(NAMED.exec(attributes ?? '')?.[1] ?? '')
          ? `<${name}${attributes ?? ''}>${REDACTED}`
          : whole,
      ),
  );
}

function withoutAssigned(text: string): string {
  let kept = '';
  let at = 0;
  for (const { 0: assigned, 1: name = '', 2: comma, index } of text.matchAll(ASSIGNED)) {
    const end = index + assigned.length;
    if (index < at || !isSecretName(name)) continue;
    kept += `${text.slice(at, end)}${REDACTED}`;
    if (comma !== undefined || OPENING.includes(text[end] ?? '')) return kept;
    VALUE.lastIndex = end;
    at = VALUE.test(text) ? VALUE.lastIndex : end;
  }
  return kept + text.slice(at);
}
