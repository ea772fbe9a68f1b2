import { expect, it } from '@jest/globals';
import { useStores } from '../testing/mongo-fixture.ts';
import { BotFailures } from './store.ts';

const open = useStores();
const MINUTE_MS = 60_000;
const START = new Date('2026-01-05T08:00:00Z').getTime();
const at = (minutes: number): Date => new Date(START + minutes * MINUTE_MS);

it('a failure of the bot keeps its beginning and its last reason until a process has read, also another one', async () => {
  const { connection } = await open();
  const [one, other] = [new BotFailures(connection), new BotFailures(connection)];
  await one.note(undefined, at(0));
  expect(await other.find()).toBeUndefined();
  await one.note('it answered 409', at(1));
  await other.note('it answered 401', at(2));
  expect(await one.find()).toEqual({ since: at(1), reason: 'it answered 401' });
  await one.note(undefined, at(3));
  expect(await other.find()).toBeUndefined();
  await other.note('it answered 409', at(3.5));
  await one.note(undefined, at(4));
  expect(await one.find()).toBeUndefined();
});
