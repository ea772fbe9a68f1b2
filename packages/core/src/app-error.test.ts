import { describe, expect, it } from '@jest/globals';
import { AppError, InvalidError, MethodNotAllowedError, NotFoundError, UnavailableError } from './index.ts';

describe('AppError', () => {
  it('carries its own name, so that a log line distinguishes refusals', () => {
    expect(new NotFoundError('No such team.').name).toBe('NotFoundError');
    expect(new NotFoundError('No such team.')).toBeInstanceOf(AppError);
  });

  it('is retryable only where the failure is of Tocsin', () => {
    expect(new UnavailableError('Kafka does not answer.').retryable).toBe(true);
    expect(new NotFoundError('No such team.').retryable).toBe(false);
  });

  it('keeps the fields of a body that was refused', () => {
    const error = InvalidError.ofFields({ message: 'Message can not be empty.' });
    expect(error.fields).toEqual({ message: 'Message can not be empty.' });
    expect(error.message).toBe('Request body is not processable. Please check the errors.');
  });

  it('keeps the methods that a path does take', () => {
    expect(new MethodNotAllowedError(['GET', 'POST']).allowed).toEqual(['GET', 'POST']);
  });
});
