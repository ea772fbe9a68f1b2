import { RE2JS } from 're2js';

/** The longest pattern, in code points (P3). */
export const MAX_PATTERN_LENGTH = 1_000;

/**
 * The pattern as an expression in linear time, of which `.` takes line ends too, or undefined when it does not compile (P3).
 */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch {
    return undefined;
  }
}
