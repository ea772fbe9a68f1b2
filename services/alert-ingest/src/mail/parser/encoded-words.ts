import { decodedText } from './decoded-text.ts';

const WORD = /=\?([^?*\s]{1,60})(?:\*[^?\s]{0,40})?\?([bq])\?([^?\s]*)\?=/gi;
const RUN = new RegExp(String.raw`(?:${WORD.source}\s*)*${WORD.source}`, 'gi');

/**
 * Makes one UTF-8 word of each run of encoded words (RFC 2047), so that characters that were cut between two words are whole, and
 * every character set is one that each parser knows.
 */
export function withWholeWords(header: string): string {
  return header.replaceAll(RUN, (run) => {
    const text = textOf(
      [...run.matchAll(WORD)].map(([, charset = '', encoding = '', said = '']) => ({ charset, encoding, said })),
    );
    return text === undefined ? run : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
  });
}

interface Word {
  readonly charset: string;
  readonly encoding: string;
  readonly said: string;
}

/** Undefined where a character set is not known. */
function textOf(words: readonly Word[]): string | undefined {
  let text = '';
  for (let from = 0; from < words.length;) {
    const charset = words[from]?.charset.toLowerCase() ?? '';
    let to = from + 1;
    while (words[to]?.charset.toLowerCase() === charset) to += 1;
    const decoded = decodedText(bytesOf(words.slice(from, to)), charset);
    if (decoded === undefined) return undefined;
    text += decoded;
    from = to;
  }
  return text;
}

function bytesOf(words: readonly Word[]): Buffer {
  const pieces: Buffer[] = [];
  let open = '';
  for (const { encoding, said } of words) {
    if (encoding.toLowerCase() === 'q') {
      pieces.push(Buffer.from(open, 'base64'), decodedQ(said));
      open = '';
      continue;
    }
    open += said;
    // A word may also end within a group of base64.
    if (open.length % 4 === 0) {
      pieces.push(Buffer.from(open, 'base64'));
      open = '';
    }
  }
  return Buffer.concat([...pieces, Buffer.from(open, 'base64')]);
}

const decodedQ = (said: string): Buffer =>
  Buffer.from(
    said
      .replaceAll('_', ' ')
      .replaceAll(/=([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
