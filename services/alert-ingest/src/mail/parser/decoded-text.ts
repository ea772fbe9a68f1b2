import { isUtf8 } from 'node:buffer';

// cspell:disable -- These are the upper halves of code pages.
/** The characters of the bytes 128 to 255 in DOS code pages, which `TextDecoder` does not know. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map([
  [
    '437',
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ],
  [
    '850',
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
  [
    '852',
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  ],
  [
    '858',
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
]);
// cspell:enable
const CODE_PAGE = /^(?:x-)?(?:cs)?(?:cp|ibm|dos|pc|pc8|codepage|oem)?[-_ ]?0?(\d{3})(?:multilingual)?$/;

const UTF_7 = /^(?:x-)?(?:unicode-1-1-)?utf-?7$/;

/** Multi-byte encodings. Their bytes may be valid UTF-8 by chance. */
const MULTI_BYTE = /^(?:gb|big5|euc-|iso-2022-|shift_jis|utf-16)/;

/**
 * Decodes `bytes`. Valid UTF-8 is UTF-8, unless `label` names a multi-byte encoding; other bytes are in the encoding that `label`
 * names, or in windows-1252 without a label. Undefined when `label` is unknown.
 */
export function decodedText(bytes: Uint8Array, label = ''): string | undefined {
  const name = label.trim().toLowerCase();
  if (UTF_7.test(name)) return decodedUtf7(bytes);
  const encoding = encodingOf(name === '' ? 'utf-8' : name) ?? '';
  if (MULTI_BYTE.test(encoding)) return new TextDecoder(encoding).decode(bytes);
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  return encoding === '' ? decodedByPage(bytes, name) : new TextDecoder(singleByte(encoding)).decode(bytes);
}

const singleByte = (encoding: string): string => (encoding === 'utf-8' ? 'windows-1252' : encoding);

function encodingOf(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

function decodedByPage(bytes: Uint8Array, name: string): string | undefined {
  const page = CODE_PAGES.get(CODE_PAGE.exec(name)?.[1] ?? '');
  return (
    page &&
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/[\u0080-\u00ff]/g, (character) => page.charAt(character.charCodeAt(0) - 128))
  );
}

/** RFC 2152: the text between a plus and a hyphen is UTF-16 in base64. */
function decodedUtf7(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded: string) => {
      if (encoded === '') return '+';
      const units = Buffer.from(encoded, 'base64');
      return units
        .subarray(0, units.byteLength - (units.byteLength % 2))
        .swap16()
        .toString('utf16le');
    });
}
