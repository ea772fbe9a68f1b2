import { describe, expect, it } from '@jest/globals';
import { service } from './testing/service-app-samples.ts';

/** The note that is read of `{"note":"<bytes>"}` sent under the content type `type`. */
async function noteOf(type: string, note: Buffer): Promise<unknown> {
  const { send, inputs, defects } = await service();
  const body = Buffer.concat([Buffer.from('{"note":"'), note, Buffer.from('"}')]);
  const post = send('post', '/v2/alerts/x/close').set('Content-Type', type);
  await post
    .serialize((bytes: Buffer) => bytes as unknown as string)
    .send(body)
    .expect(202);
  expect(defects).toEqual([]);
  return (inputs[0]?.body as { readonly note?: unknown }).note;
}

const JSON_TYPE = 'application/json';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('the character set of a JSON body (E2)', () => {
  it.each([
    ['', 'Größe'],
    ['; charset=', 'Größe'],
    ['; charset=utf8', 'Größe'],
    ['; charset="UTF-8"', 'Größe'],
    ['; charset=utf-99', 'Größe'],
    ['; charset=us-ascii', 'Größe'],
    ['; charset=binary', '磁盘已满'],
  ])('is UTF-8 where %j names no other', async (parameter, note) => {
    expect(await noteOf(JSON_TYPE + parameter, Buffer.from(note))).toBe(note);
  });

  it.each([
    ['iso-8859-1', latin1('Größe')],
    ['Windows-1252', Buffer.from([0x47, 0x72, 0xf6, 0xdf, 0x65])],
    ['iso-8859-15', latin1('Größe')],
    ['macintosh', Buffer.from([0x47, 0x72, 0x9a, 0xa7, 0x65])],
  ])('is the %s that it names', async (name, bytes) => {
    expect(await noteOf(`${JSON_TYPE}; charset=${name}`, bytes)).toBe('Größe');
  });

  it.each([
    ['shift_jis', Buffer.from([0x8f, 0xe1, 0x8a, 0x51]), '障害'],
    ['gbk', Buffer.from([0xb9, 0xca, 0xd5, 0xcf]), '故障'],
    ['koi8-r', Buffer.from([0xf3, 0xc2, 0xcf, 0xca]), '\u0421\u0431\u043e\u0439'],
  ])('is the %s that it names, of other scripts too', async (name, bytes, note) => {
    expect(await noteOf(`${JSON_TYPE}; charset=${name}`, bytes)).toBe(note);
  });

  it.each(['', '; charset=utf-8', '; charset=us-ascii', '; charset=cp850'])(
    'is windows-1252 where %j is no UTF-8',
    async (parameter) => {
      expect(await noteOf(JSON_TYPE + parameter, Buffer.concat([latin1('Größe 5 '), Buffer.from([0x80])]))).toBe(
        'Größe 5 €',
      );
    },
  );

  it('stays UTF-8 where one character is cut: the others are read', async () => {
    const cut = Buffer.from('Größe €').subarray(0, -1);
    expect(await noteOf(JSON_TYPE, cut)).toBe('Größe \ufffd');
  });

  it('may hold the character that stands for unreadable ones', async () => {
    expect(await noteOf(JSON_TYPE, Buffer.from('\ufffd'))).toBe('\ufffd');
  });
});
