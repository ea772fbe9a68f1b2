import { beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias } from '@tocsin/testkit';
import { useSystem } from '../system/system.ts';

const system = useSystem();

const MAX_BYTES = 52_428_800;
let path: string;
let alias: string;

beforeEach(async () => {
  const scenario = system.scenario();
  alias = scenario.name('disk');
  await scenario.alert({ message: 'Disk full', alias });
  await system.settle();
  path = `/v2/alerts/${encodeURIComponent(alias)}/attachments`;
});

function form(content: string | Uint8Array<ArrayBuffer>, name = 'graph.txt', fields: Record<string, string> = {}) {
  const made = new FormData();
  for (const [field, value] of Object.entries(fields)) made.append(field, value);
  made.append('file', new Blob([content], { type: 'text/plain' }), name);
  return made;
}

const attach = (...file: Parameters<typeof form>) =>
  system.api.create(`${path}?alertIdentifierType=alias`, form(...file));
const linkOf = (id: string) =>
  system.api.read<{ name: string; url: string }>(`${path}/${id}?alertIdentifierType=alias`);

/** As a browser opens it: without a key. */
async function opened(url: string) {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('the files of an alert (A13)', () => {
  it('add-attachment and list-attachments: a file is there under its name, by a decimal id, and in the log', async () => {
    const { id } = await attach('one', 'Größe 🔥.txt', { user: 'Ada', indexFile: '' });
    expect(id).toMatch(/^[1-9]\d*$/);
    const files = await system.api.read(`${path}?alertIdentifierType=alias`);
    expect(files).toEqual([{ id: Number(id), name: 'Größe 🔥.txt' }]);
    const logs = await system.api.read(byAlias(alias, '/logs'));
    expect(logs).toContainEqual(
      expect.objectContaining({
        log: 'Attachment [Größe 🔥.txt] added via API[Default API-Add Attachment]',
        owner: 'Ada',
      }),
    );
  });

  it('get-attachment and download-attachment: its link opens the same bytes without a key, at the host that was called', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const { id } = await attach(bytes, 'graph.png');
    const { name, url } = await linkOf(id);
    expect([name, new URL(url).origin]).toEqual(['graph.png', system.api.url]);
    const file = await opened(url);
    expect([file.status, file.bytes.equals(bytes)]).toEqual([200, true]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '60000',
      'content-disposition': 'attachment; filename=graph.png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });

  it('download-attachment opens nothing after 15 minutes, nor with a link that was changed', async () => {
    const [one, other] = [await attach('one'), await attach('other')];
    const { url } = await linkOf(one.id);
    expect((await opened(url.replace(`/${one.id}.`, `/${other.id}.`))).status).toBe(404);
    await system.pass(14);
    expect((await opened(url)).status).toBe(200);
    await system.pass(1);
    const expired = await opened(url);
    expect([expired.status, expired.bytes.toString()]).toEqual([404, expect.stringContaining('has expired')]);
    expect((await opened((await linkOf(one.id)).url)).status).toBe(200);
  });

  it('delete-attachment answers Deleted; then it is gone, and so is what its link opened', async () => {
    const { id } = await attach('one');
    const { url } = await linkOf(id);
    const at = `${path}/${id}?identifierType=alias&user=Ada`;
    expect((await system.api.expect(200, 'DELETE', at)).body).toMatchObject({ result: 'Deleted' });
    expect((await opened(url)).status).toBe(404);
    expect((await system.api.request('DELETE', at)).status).toBe(404);
    expect(await system.api.read(`${path}?alertIdentifierType=alias`)).toEqual([]);
  });

  it('add-attachment takes 50 MB and not a byte more', async () => {
    const bytes = new Uint8Array(MAX_BYTES + 1);
    const { id } = await attach(bytes.subarray(1));
    expect((await opened((await linkOf(id)).url)).bytes).toHaveLength(MAX_BYTES);
    const refused = await system.api.request('POST', `${path}?alertIdentifierType=alias`, form(bytes));
    expect([refused.status, refused.body]).toMatchObject([413, { message: expect.stringContaining('50 MB') }]);
    expect(await system.api.read(`${path}?alertIdentifierType=alias`)).toHaveLength(1);
  });

  it('add-attachment refuses what is no form, and a form without a file', async () => {
    const url = `${path}?alertIdentifierType=alias`;
    expect((await system.api.request('POST', url, { file: 'x' })).status).toBe(415);
    const none = new FormData();
    none.append('user', 'Ada');
    expect((await system.api.request('POST', url, none)).body).toMatchObject({
      errors: { file: 'should be provided' },
    });
    expect((await system.api.request('POST', '/v2/alerts/none/attachments', form('x'))).status).toBe(404);
  });

  it('go with their alert', async () => {
    const { url } = await linkOf((await attach('one')).id);
    await system.api.expect(202, 'DELETE', byAlias(alias));
    await system.settle();
    expect((await opened(url)).status).toBe(404);
  });
});
