import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { NotFoundError, UnavailableError } from '@tocsin/core';
import { Error as MongooseErrors, mongo } from 'mongoose';
import {
  asUnavailable,
  isDuplicateIdOnly,
  isDuplicateKey,
  isTransient,
  isUnavailable,
  orUnavailable,
  reasonOf,
} from './failures.ts';

function serverError(code: number, message = 'refused'): mongo.MongoServerError {
  return new mongo.MongoServerError({ message, errmsg: message, code });
}

/** As the driver makes it: a network fault has no code, a refused write carries its own inside. */
function bulkError(codes: readonly number[], message: string): Error {
  const result = { insertedCount: 0 } as unknown as mongo.BulkWriteResult;
  const error = new mongo.MongoBulkWriteError(new mongo.MongoNetworkError(message), result);
  error.writeErrors = codes.map((code) => ({ code, errmsg: message }) as unknown as mongo.WriteError);
  return error;
}

function labelled(error: mongo.MongoError, label: string): mongo.MongoError {
  error.addErrorLabel(label);
  return error;
}

describe('isTransient', () => {
  it.each<[string, unknown]>([
    ['a network fault', new mongo.MongoNetworkError('connection closed')],
    ['a bulk write that the network cut, without code or label', bulkError([], 'connection closed')],
    ['no primary in time', new mongo.MongoServerSelectionError('unavailable', {} as never)],
    ['a step-down', serverError(10_107)],
    ['a write conflict', serverError(112)],
    ['an UnavailableError', new UnavailableError('Kafka is unavailable.')],
    ['a fetch that failed', new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })],
    ['a conflict that shows as a taken key', labelled(serverError(11_000), 'TransientTransactionError')],
    ['something that is no error at all', 'boom'],
  ])('holds for %s', (_, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a bad value', serverError(2)],
    ['a failed validation inside a bulk write', bulkError([121], 'Document failed validation')],
    ['a document that is too large', serverError(10_334)],
    ['a key that is taken', serverError(11_000)],
    ['a value that cannot be encoded', new mongo.BSON.BSONError('out of range')],
    ['a command that the driver refuses', new mongo.MongoInvalidArgumentError('no operations')],
    ['a value that a schema refuses', new MongooseErrors.ValidationError()],
    ['another error of the application', new NotFoundError('No such team.')],
    ['a defect', new TypeError('undefined is not a function')],
    ['an impossible date', new RangeError('Invalid time value')],
  ])('does not hold for %s', (_, error) => {
    expect(isTransient(error)).toBe(false);
  });
});

describe('isDuplicateIdOnly', () => {
  const insert = (concern: mongo.WriteConcernError | undefined, ...indexes: readonly string[]): unknown => {
    const result = { getWriteConcernError: () => concern } as unknown as mongo.BulkWriteResult;
    const error = new mongo.MongoBulkWriteError(new mongo.MongoError('refused'), result);
    error.writeErrors = indexes.map(
      (index) => ({ code: 11_000, errmsg: `E11000 index: ${index} dup key` }) as unknown as mongo.WriteError,
    );
    return error;
  };

  it('holds where all that was refused is there already, and the rest is on a majority', () => {
    expect(isDuplicateIdOnly(insert(undefined, '_id_', '_id_'))).toBe(true);
    expect(isDuplicateIdOnly(insert(undefined, '_id_', 'by_name'))).toBe(false);
    const concern = { code: 64, errmsg: 'waiting timed out' } as unknown as mongo.WriteConcernError;
    expect(isDuplicateIdOnly(insert(concern, '_id_'))).toBe(false);
    expect(isDuplicateIdOnly(serverError(11_000))).toBe(false);
  });
});

describe('asUnavailable', () => {
  it('changes failures of the database, and no other error', () => {
    const fault = new mongo.MongoNetworkError('connection closed');
    expect(asUnavailable(fault)).toMatchObject({ code: 'unavailable', cause: fault });
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    for (const error of [serverError(11_000), new NotFoundError('No such team.'), new Error('a defect'), full]) {
      expect(asUnavailable(error)).toBe(error);
    }
  });

  it.each(['EPIPE', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETDOWN'])(
    'knows %s, as the driver passes it on bare, for trouble that passes, and so does a consumer',
    (code) => {
      const bare = Object.assign(new Error('write failed'), { code, syscall: 'write' });
      expect(asUnavailable(bare)).toMatchObject({ code: 'unavailable', cause: bare });
      expect(isTransient(bare)).toBe(true);
    },
  );

  it('is the error of a promise in orUnavailable', async () => {
    expect(await orUnavailable(Promise.resolve(1))).toBe(1);
    const fault = new mongo.MongoNetworkError('connection closed');
    await expect(orUnavailable(Promise.reject(fault))).rejects.toMatchObject({ code: 'unavailable', cause: fault });
    const defect = new Error('a defect');
    await expect(orUnavailable(Promise.reject(defect))).rejects.toBe(defect);
  });

  it('recognises such an error of another realm, as those of the platform are under Jest', () => {
    const bare: unknown = runInNewContext("Object.assign(new Error('ended by the other party'), { code: 'EPIPE' })");
    expect(bare).not.toBeInstanceOf(Error);
    expect(asUnavailable(bare)).toMatchObject({ code: 'unavailable', cause: bare });
  });
});

describe('isDuplicateKey', () => {
  const taken = 'E11000 duplicate key error collection: t.alerts index: alias_open dup key: { alias: "a" }';

  it('recognises a taken key, alone and among many writes', () => {
    expect(isDuplicateKey(serverError(11_000, taken))).toBe(true);
    expect(isDuplicateKey(bulkError([11_000], taken))).toBe(true);
    expect(isDuplicateKey(serverError(112))).toBe(false);
    expect(isDuplicateKey(new Error('E11000'))).toBe(false);
  });

  it('distinguishes indexes by their whole name', () => {
    expect(isDuplicateKey(serverError(11_000, taken), 'alias_open')).toBe(true);
    expect(isDuplicateKey(serverError(11_000, taken), 'alias')).toBe(false);
  });
});

describe('reasonOf', () => {
  it('names its cause', () => {
    const error = new UnavailableError('The database did not answer in time.', { cause: new Error('socket closed') });
    expect(reasonOf(error)).toBe('UnavailableError: The database did not answer in time. (Error: socket closed)');
  });
});

describe('isUnavailable', () => {
  it.each<[string, unknown]>([
    ['a network fault', new mongo.MongoNetworkError('connection closed')],
    ['no primary in time', new mongo.MongoServerSelectionError('unavailable', {} as never)],
    ['a transaction whose time is over, or Kafka that is unavailable', new UnavailableError('unavailable')],
    ['a socket that closed', Object.assign(new Error('read'), { code: 'ECONNRESET' })],
  ])('holds for %s', (_, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a refused value', serverError(2)],
    ['an entity that is deleted', new NotFoundError('No such team.')],
    ['an error of another kind', new Error('boom')],
  ])('does not hold for %s', (_, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
