import { describe, expect, test } from '@jest/globals';
import { BUDGET, budgetFaults, type BuiltFile, filesOf, sizesOf } from './budget.ts';

const file = (path: string, brotliBytes: number, loads: readonly string[] = [], module?: string): BuiltFile => ({
  path,
  brotliBytes,
  loads,
  ...(module !== undefined && { module }),
});

const files = [
  file('index.html', 300),
  file('assets/main.js', 100, ['assets/shared.js', 'assets/main.css'], 'src/main.tsx'),
  file('assets/shared.js', 50, ['assets/main.js']),
  file('assets/alerts.js', 20, ['assets/shared.js', 'assets/alerts.css'], 'src/alerts/alerts-page.tsx'),
  file('assets/other.js', 7, ['assets/shared.js'], 'src/other/other-page.tsx'),
  file('assets/main.css', 5),
  file('assets/alerts.css', 3),
];

describe('the budget of the build', () => {
  test('The first route counts each file once, with all that it loads, and no other page.', () => {
    const firstRoute = filesOf(['src/main.tsx', 'src/alerts/alerts-page.tsx'], files);

    expect(sizesOf(firstRoute, files)).toEqual({ firstRouteScripts: 170, firstRouteStyles: 8, everything: 185 });
  });

  test('A page that the build does not have fails the check.', () => {
    expect(() => filesOf(['src/gone.tsx'], files)).toThrow('The build has no script of src/gone.tsx.');
  });

  test('Sizes at their limits have no fault.', () => {
    expect(budgetFaults(BUDGET)).toEqual([]);
  });

  test('Each part that is one byte over its limit is named with its size and its limit.', () => {
    const { everything, firstRouteScripts, firstRouteStyles } = BUDGET;

    expect(
      budgetFaults({
        firstRouteScripts: firstRouteScripts + 1,
        firstRouteStyles: firstRouteStyles + 1,
        everything: everything + 1,
      }),
    ).toEqual([
      'The scripts of the first route have 140.1 KiB, and at most 140 are allowed.',
      'The style sheets of the first route have 15.1 KiB, and at most 15 are allowed.',
      'All scripts and style sheets have 350.1 KiB, and at most 350 are allowed.',
    ]);
  });
});
