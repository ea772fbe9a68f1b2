import { describe, expect, it } from '@jest/globals';
import { InvalidError, UnavailableError } from '@tocsin/core';
import { mongo } from 'mongoose';
import { reading } from './database.ts';

const failing = (error: Error): Promise<never> => reading(Promise.reject(error));

describe('a query to the database', () => {
  it('returns what it found', async () => {
    expect(await reading(Promise.resolve('found'))).toBe('found');
  });

  it('that was stopped because it took too long is refused, with a message for the caller', async () => {
    const stopped = failing(Object.assign(new Error('operation exceeded time limit'), { code: 50 }));
    await expect(stopped).rejects.toThrow(InvalidError);
    await expect(stopped).rejects.toMatchObject({ fields: { query: expect.stringContaining('takes too long') } });
  });

  it('that finds the database unavailable throws UnavailableError', async () => {
    await expect(failing(new mongo.MongoNetworkError('connection reset'))).rejects.toThrow(UnavailableError);
  });

  it('that fails by a defect keeps its error', async () => {
    await expect(failing(new TypeError('no such field'))).rejects.toThrow(TypeError);
  });
});
