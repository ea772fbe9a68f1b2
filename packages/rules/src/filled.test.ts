import { describe, expect, it } from '@jest/globals';
import { filled, filledWithin, invalidExpressionIn } from './filled.ts';
import { PatternBudget } from './pattern-budget.ts';

const PATTERN = '{{message.extract(/a(.*)/, 1)}}';

describe('a template', () => {
  it('is filled from the fields, each time it is used', () => {
    expect(filled('{{message}} of {{source}}', { message: 'Disk full', source: 'db1' })).toBe('Disk full of db1');
    expect(filled('{{message}} of {{source}}', { message: 'Disk slow', source: 'db2' })).toBe('Disk slow of db2');
  });

  it('is filled within a budget that has room for its patterns, and not without room', () => {
    expect(filledWithin(PATTERN, { message: 'abc' }, new PatternBudget())).toBe(filled(PATTERN, { message: 'abc' }));
    expect(filledWithin(PATTERN, { message: 'abc' }, new PatternBudget(0))).toBeUndefined();
  });

  it('has a sentence about its first expression that is not understood, and none where all are', () => {
    expect(invalidExpressionIn('note', '{{message}}')).toEqual([]);
    expect(invalidExpressionIn('note', '{{tags}} {{a.b()}} {{c.d()}}')).toEqual([
      'note: [{{a.b()}}] of its template is not understood.',
    ]);
  });

  it('is quoted up to 50 characters', () => {
    const [sentence = ''] = invalidExpressionIn('note', `{{a.${'b'.repeat(100)}()}}`);
    expect(sentence).toBe(`note: [{{a.${'b'.repeat(46)}] of its template is not understood.`);
  });

  it('is filled after more than 10 000 others', () => {
    for (let index = 0; index <= 10_000; index += 1) filled(`${index}: {{message}}`, { message: 'x' });
    expect(filled('0: {{message}}', { message: 'y' })).toBe('0: y');
  });
});
