import { describe, expect, test } from '@jest/globals';
import type { DeadLetter } from '@tocsin/events';
import type { LetterEntry, RedriveResult } from '@tocsin/kafka';
import { readCommand } from './command-line.ts';
import { LetterWork } from './letter-work.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const letter = (own: Partial<DeadLetter> = {}): DeadLetter => ({
  topic: 'pages.v1',
  partition: 0,
  offset: 7,
  groupId: 'a.notifier',
  reason: 'not JSON',
  key: base64('u1'),
  value: base64('{"page":1}'),
  failedAt: '2026-03-02T00:00:00.000Z',
  ...own,
});

const entryOf = (
  { topic, partition, offset, groupId, reason, failedAt, value }: DeadLetter,
  redrivenAt: string | undefined,
): LetterEntry => ({
  topic,
  partition,
  offset,
  groupId,
  reason,
  failedAt,
  redrivenAt,
  address: `${topic}/${String(partition)}/${String(offset)}`,
  whole: value !== undefined,
  stored: { partition: 0, offset },
});

/** The work over `letters`, of an installation with the prefix `a.`; `answer` is what the person says. */
function setUp(letters: readonly DeadLetter[], given: { answer?: boolean; redriven?: readonly number[] } = {}) {
  const said: string[] = [];
  const complained: string[] = [];
  const questions: string[] = [];
  const put: string[] = [];
  const redriven = given.redriven ?? [];
  const box = {
    entries: () =>
      Promise.resolve(
        letters.map((one) => entryOf(one, redriven.includes(one.offset) ? '2026-03-03T00:00:00.000Z' : undefined)),
      ),
    letters: (entries: readonly LetterEntry[]) =>
      Promise.resolve(letters.filter(({ offset }) => entries.some((entry) => entry.offset === offset))),
    redrive: (entries: readonly LetterEntry[], report: (redriven: RedriveResult) => void) => {
      for (const { address, whole } of entries) {
        put.push(address);
        report({ address, refused: whole ? undefined : 'The letter does not hold the value of its record.' });
      }
      return Promise.resolve();
    },
  };
  const surface = {
    say: (line: string) => said.push(line),
    complain: (line: string) => complained.push(line),
    confirm: (question: string) => {
      questions.push(question);
      return Promise.resolve(given.answer);
    },
  };
  const work = new LetterWork({ box, surface, topicPrefix: 'a.' });
  const run = (...args: string[]) => {
    const reading = readCommand(args, new Date('2026-03-02T01:00:00Z'));
    if ('problem' in reading || reading.command.kind === 'help') throw new Error('no command for the work');
    return work.do(reading.command);
  };
  return { run, said, complained, questions, put };
}

const many = (count: number) =>
  Array.from({ length: count }, (_, offset) =>
    letter({ offset, failedAt: new Date(Date.UTC(2026, 2, 1) + offset * 60_000).toISOString() }),
  );

describe('list', () => {
  test('shows where, when, whose, what became of it and why, the newest last', async () => {
    const { run, said } = setUp([letter({ offset: 6 }), letter({ reason: 'odd\u001b[31m' })], { redriven: [6] });
    expect(await run('list')).toBe(0);
    expect(said).toEqual([
      'LETTER        FAILED                    GROUP     STATE                              REASON',
      'pages.v1/0/6  2026-03-02T00:00:00.000Z  notifier  redriven 2026-03-03T00:00:00.000Z  not JSON',
      'pages.v1/0/7  2026-03-02T00:00:00.000Z  notifier  waits                              odd\\u001b[31m',
      '2 of 2 letters.',
    ]);
  });

  test('pages backwards from the newest', async () => {
    const { run, said } = setUp(many(5));
    await run('list', '--limit', '2');
    expect(said.slice(1)).toEqual([
      expect.stringContaining('pages.v1/0/3 '),
      expect.stringContaining('pages.v1/0/4 '),
      '2 of 5 letters. 3 are older: --page 2.',
    ]);
    said.length = 0;
    await run('list', '--limit', '2', '--page', '3');
    expect(said.slice(1)).toEqual([expect.stringContaining('pages.v1/0/0 '), '1 of 5 letters.']);
    said.length = 0;
    await run('list', '--limit', '2', '--page', '4');
    expect(said).toEqual(['There is no page 4 of 5 letters.']);
  });

  test.each([
    [['--topic', 'pages.v1'], [7]],
    [['--topic', 'other.v1'], [8]],
    [['--group', 'scheduling'], [8]],
    [['--group', 'a.scheduling'], [8]],
    [['--since', '30m'], [8]],
    [
      ['--since', '60m'],
      [7, 8],
    ],
    [['--topic', 'none'], []],
  ])('with %j leaves out what is not meant', async (args, offsets) => {
    const { run, said } = setUp([
      letter(),
      letter({ offset: 8, topic: 'other.v1', groupId: 'a.scheduling', failedAt: '2026-03-02T00:45:00.000Z' }),
    ]);
    await run('list', '--json', ...args);
    const { total, letters } = JSON.parse(said.join('')) as { total: number; letters: { offset: number }[] };
    expect(letters.map(({ offset }) => offset)).toEqual(offsets);
    expect(total).toBe(offsets.length);
  });

  test('says so when there are none', async () => {
    const { run, said } = setUp([]);
    expect(await run('list')).toBe(0);
    expect(said).toEqual(['There are no dead letters.']);
  });
});

describe('show', () => {
  test('gives the reason, and the key and value as they read', async () => {
    const { run, said } = setUp([letter()]);
    expect(await run('show', 'pages.v1/0/7')).toBe(0);
    expect(said).toEqual([
      'pages.v1/0/7',
      '  failed  2026-03-02T00:00:00.000Z by notifier',
      '  state   waits',
      '  reason  not JSON',
      '  key     text',
      '    u1',
      '  value   json',
      '    {',
      '      "page": 1',
      '    }',
    ]);
  });

  test('gives bytes that are no text as base64, and says what is not there', async () => {
    const { run, said } = setUp([letter({ key: 'AP8=', value: undefined })]);
    await run('show', 'pages.v1/0/7');
    expect(said.slice(4)).toEqual([
      '  key     base64',
      '    AP8=',
      '  value   The letter does not hold it: the record had none, or it was too large.',
    ]);
  });

  test('gives a program all of it', async () => {
    const { run, said } = setUp([letter({ value: base64('ping\u0007') })]);
    await run('show', 'pages.v1/0/7', '--json');
    expect(JSON.parse(said.join(''))).toMatchObject([
      {
        reason: 'not JSON',
        groupId: 'notifier',
        key: { content: 'u1' },
        value: { kind: 'text', content: 'ping\u0007' },
      },
    ]);
  });

  test('ends with 1 for a letter that is not there', async () => {
    const { run, complained } = setUp([letter()]);
    expect(await run('show', 'pages.v1/0/8')).toBe(1);
    expect(complained).toEqual(['There is no dead letter pages.v1/0/8.']);
  });
});

describe('redrive', () => {
  test('asks first, and says of each letter what it did', async () => {
    const { run, said, questions, put } = setUp(many(2), { answer: true });
    expect(await run('redrive', 'pages.v1/0/0', 'pages.v1/0/1')).toBe(0);
    expect(questions).toEqual(['Put the records of 2 letters on their topics again (2 of pages.v1)? [y/N] ']);
    expect(put).toEqual(['pages.v1/0/0', 'pages.v1/0/1']);
    expect(said).toEqual([
      '[1/2] pages.v1/0/0: on its topic again',
      '[2/2] pages.v1/0/1: on its topic again',
      '2 letters redriven, 0 not.',
    ]);
  });

  test('does nothing unless it may', async () => {
    const refused = setUp(many(1), { answer: false });
    expect(await refused.run('redrive', '--all')).toBe(1);
    const alone = setUp(many(1));
    expect(await alone.run('redrive', '--all')).toBe(2);
    expect(alone.complained).toEqual(['There is no terminal to ask: give --yes.']);
    expect([...refused.put, ...alone.put]).toEqual([]);
  });

  test('with --all passes by what was redriven, unless called with --again', async () => {
    const { run, put, questions } = setUp(many(3), { redriven: [1] });
    expect(await run('redrive', '--all', '--yes')).toBe(0);
    expect(put).toEqual(['pages.v1/0/0', 'pages.v1/0/2']);
    put.length = 0;
    await run('redrive', '--all', '--again', '--yes');
    expect(put).toHaveLength(3);
    expect(questions).toEqual([]);
  });

  test('of a letter that was redriven says when, and does nothing', async () => {
    const { run, put, said } = setUp(many(1), { redriven: [0] });
    expect(await run('redrive', 'pages.v1/0/0')).toBe(0);
    expect(put).toEqual([]);
    expect(said).toEqual([
      'pages.v1/0/0: redriven 2026-03-03T00:00:00.000Z already; --again does it once more',
      'There is nothing to redrive.',
    ]);
  });

  test('does nothing at all when one of the letters is not there', async () => {
    const { run, put, complained } = setUp(many(1));
    expect(await run('redrive', 'pages.v1/0/0', 'pages.v1/0/9', '--yes')).toBe(1);
    expect(put).toEqual([]);
    expect(complained).toEqual(['There is no dead letter pages.v1/0/9.']);
  });

  test('goes on after a letter without its value, and ends with 1', async () => {
    const { run, said, complained } = setUp([letter({ offset: 1, value: undefined }), letter({ offset: 2 })]);
    expect(await run('redrive', '--all', '--yes')).toBe(1);
    expect(complained).toEqual(['[1/2] pages.v1/0/1: not redriven. The letter does not hold the value of its record.']);
    expect(said).toEqual(['[2/2] pages.v1/0/2: on its topic again', '1 letter redriven, 1 not.']);
  });

  test('puts a record once that two groups could not settle', async () => {
    const { run, put } = setUp([letter({ value: undefined }), letter({ groupId: 'a.scheduling' })]);
    expect(await run('redrive', '--all', '--yes')).toBe(0);
    expect(put).toEqual(['pages.v1/0/7']);
  });
});
