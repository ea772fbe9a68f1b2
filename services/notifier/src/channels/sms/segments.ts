/** The maximum number of parts of a text message: carriers send and bill each part. */
const MAX_SEGMENTS = 4;
/** Septets of the GSM alphabet in one part of several, less one for an escape that is not torn apart. */
const SEPTETS = 152;
/** UTF-16 units in one part of several, less one for a pair that is not torn apart. */
const UNITS = 66;

// cspell:ignoreRegExp /const PLAIN.*/

/** The alphabet of GSM 03.38, without its line ends. */
const PLAIN = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]$/u;
/** Its characters behind an escape: two septets. */
const ESCAPED = /^[\^{}\\[~\]|€]$/u;
const CUT = '...';

/** Whether a text fits without a loss. */
export const fits = (text: string): boolean => fitted(text) === text;

/**
 * A text that fits into {@link MAX_SEGMENTS} parts: one that is too long is cut and ends in dots. `ending` always follows it complete:
 * plain letters, shorter than a part.
 */
export function fitted(text: string, ending = ''): string {
  const characters = Array.from(text);
  const isGsm = characters.every((character) => PLAIN.test(character) || ESCAPED.test(character));
  const costOf = isGsm ? septets : units;
  const room = MAX_SEGMENTS * (isGsm ? SEPTETS : UNITS) - ending.length;
  if (characters.reduce((sum, character) => sum + costOf(character), 0) <= room) return `${text}${ending}`;
  let cost = CUT.length;
  const end = characters.findIndex((character) => (cost += costOf(character)) > room);
  return `${characters.slice(0, end).join('')}${CUT}${ending}`;
}

const septets = (character: string): number => (ESCAPED.test(character) ? 2 : 1);

const units = (character: string): number => character.length;
