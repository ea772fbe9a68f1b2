import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { sentCommands } from './sent-commands.ts';

const ATTEMPTS = [
  { commandName: 'find', command: { find: 'users', lsid: { id: 'a' } } },
  { commandName: 'find', command: { find: 'users', lsid: { id: 'a' }, txnNumber: 1n, autocommit: false } },
  { commandName: 'insert', command: { insert: 'users', lsid: { id: 'b' }, txnNumber: 1n } },
  { commandName: 'abortTransaction', command: { abortTransaction: 1, lsid: { id: 'a' }, txnNumber: 1n } },
  { commandName: 'update', command: { update: 'users', lsid: { id: 'a' }, txnNumber: 2n, autocommit: false } },
  { commandName: 'commitTransaction', command: { commitTransaction: 1, lsid: { id: 'a' }, txnNumber: 2n } },
];

function sentBy(options?: { readonly withoutAborted: boolean }): readonly string[] {
  const client = new EventEmitter();
  const commands = sentCommands(client, options);
  for (const attempt of ATTEMPTS) client.emit('commandStarted', attempt);
  return commands;
}

describe('the commands that a client sends', () => {
  it('are listed in order, with those of a transaction that was aborted', () => {
    expect(sentBy()).toEqual([
      'find users',
      'find users',
      'insert users',
      'abortTransaction 1',
      'update users',
      'commitTransaction',
    ]);
  });

  it('are listed without those of an aborted transaction where only its repetition counts', () => {
    expect(sentBy({ withoutAborted: true })).toEqual([
      'find users',
      'insert users',
      'update users',
      'commitTransaction',
    ]);
  });
});
