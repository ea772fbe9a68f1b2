import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileTemplate } from './templates.ts';

const fields = {
  message: ' Disk FULL on db-1 ',
  tags: ['a', 'b'],
  details: {
    'host.name': 'db-1',
    region: 'eu 🔔 x',
    at: '1769843109250',
    seconds: ' 1769843109 ',
    iso: '2026-01-31T07:05:09.25Z',
  },
  _payload: (path: string) => `<${path}>`,
};
const rendered = (template: string) => compileTemplate(template)(fields);

describe('a template (P4)', () => {
  it('gives no half of a character, wherever a text is cut: no database keeps one', () => {
    const message = `${'a'.repeat(4_999)}🔔${'b'.repeat(60_000)}`;
    const cut = ['{{message.extract(/.$/, 0)}}', '{{message.extract(/.$/, 0).length()}}'];
    expect(cut.map((template) => compileTemplate(template)({ message }))).toEqual(['\ufffd', '1']);
    const long = `a${'🔔'.repeat(60_000)}`;
    expect(compileTemplate('{{long}}')({ long }).isWellFormed()).toBe(true);
  });

  it.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['{ {message} }', '{ {message} }'],
    ['[{{ message }}]', '[ Disk FULL on db-1 ]'],
    ['{{message.trim().toLowerCase()}}!', 'disk full on db-1!'],
    ['{{message.trim().substring(0,4).toUpperCase()}}', 'DISK'],
    ['{{message.trim().substring(5)}}', 'FULL on db-1'],
    ['{{message.substring(99, 100)}}', ''],
    ['{{message.replace("Disk", "$&}}").trim()}}', '$&}} FULL on db-1'],
    ['{{message.replace("D","d").replace("b-","B-").trim()}}', 'disk FULL on dB-1'],
    ['{{details.host.name}}/{{details.none}}/{{details}}', 'db-1//'],
    ['{{details.host.name.toUpperCase()}}', 'DB-1'],
    ['{{details.region.length()}}', '6'],
    ['{{details.region.substring(3,4)}}', '🔔'],
    ['{{tags}} {{tags.x}}', 'a, b '],
    ['{{message.extract(/Disk (\\w+)/)}}', 'FULL'],
    ['{{message.extract(/(\\w+) on (\\w+)/, 2).toUpperCase()}}', 'DB'],
    ['{{message.trim().extract(/^(\\S+).*$/ , 1 ).toLowerCase()}}', 'disk'],
    ['{{message.extract(/D.*L/, 0)}}', 'Disk FULL'],
    ['{{message.extract(/(nothing)/)}}!', '!'],
    ['{{message.extract(/Disk(x)? /)}}!', '!'],
    ['{{condition_name.extract(/^\\[(\\S+)\\].*$/, 1)}}', ''],
    ['{{message.extract(/([/("}]|F\\w)/)}}{{message.extract(/(db)\\/?/)}}', 'FUdb'],
    ['{{message.substringAfter("FULL on ").trim()}}', 'db-1'],
    ['{{ message.substringAfter("none") }}!', '!'],
    ['{{message.substringBefore("FULL").trim()}}', 'Disk'],
    ['{{message.trim().substringBefore( "none" )}}', 'Disk FULL on db-1'],
    ['{{message.substringBetween("Disk ", " on")}}', 'FULL'],
    ['{{message.substringBetween("on ","none")}}{{message.substringBetween("none","on")}}!', '!'],
    ['{{details.at.toDate()}} {{details.seconds.toDate("yyyy")}}', '2026-01-31 07:05:09 +0000 2026'],
    ['{{details.at.toDate("EEE, d MMM yy h:mm a", "Europe/Rome")}}', 'Sat, 31 Jan 26 8:05 AM'],
    ['{{details.iso.toDate("HH:mm:ss.SSS XXX", "Asia/Kolkata")}}', '12:35:09.250 +05:30'],
    [`{{details.at.toDate("EEEE MMMM 'o''clock' DDD k")}}`, "Saturday January o'clock 031 7"],
    ['{{message.toDate()}}', ' Disk FULL on db-1 '],
    ['{{_payload.host.name}}', '<host.name>'],
    ['{{_payload.host.toUpperCase()}}{{_payload}}', '<HOST><>'],
    ['{{_payload.list.get(0).a}} {{ _payload.get( 1 ).get(2).trim() }}', '<list.0.a> <1.2>'],
    [
      '{{_payload.list[0].a b}}{{_payload["a.b"]["c (d) {{e}}.trim()"].f.toUpperCase()}}',
      `<list[0].a b><["A.B"]["C (D) {{E}}.TRIM()"].F>`,
    ],
    ['{{_payload.a.get(0)["b c"].get(12)}}', '<a.0["b c"].12>'],
    ['{{tags.get(1)}}{{tags[0]}}{{tags.get(2)}}{{details.get(0)}}', 'ba'],
    ['{{{message.trim()}}}', '{Disk FULL on db-1}'],
    ['{{unknown}}{{constructor}}{{message.x}}', ''],
    ['{{__proto__}}{{details.__proto__}}{{details.toString}}', ''],
  ])('%j gives %j', (template, expected) => {
    expect(rendered(template)).toBe(expected);
  });

  it.each([
    '{{',
    '{{}}',
    '{{message',
    '{{message.explode()}}',
    '{{message.substring("a")}}',
    '{{message.substring(-1,2)}}',
    '{{message.replace("a")}}',
    '{{message.replace("","x")}}',
    '{{message.trim(}}',
    '{{message.extract(/(/)}}',
    '{{message.extract(/no group/)}}',
    '{{message.extract(/(a)/, 2)}}',
    '{{message.extract(/(a)/, -1)}}',
    '{{message.extract(//)}}',
    '{{message.extract("(a)")}}',
    '{{message.extract(/(?=a)(b)/)}}',
    '{{message.extract(/((a{30}){30}){30}/)}}',
    '{{message.trim().x}}',
    '{{message.trim().get(0)}}',
    '{{_payload.get(-1)}}',
    '{{_payload.get(0)x}}',
    '{{_payload.get()}}',
    `{{_payload${'.get(0)'.repeat(21)}}}`,
    '{{message.constructor()}}',
    `{{message${'.trim()'.repeat(21)}}}`,
    '{{message.substringAfter()}}',
    '{{message.substringAfter("a","b")}}',
    '{{message.substringBetween("a")}}',
    '{{message.toDate(5)}}',
    '{{message.toDate("W")}}',
    `{{message.toDate("'open")}}`,
    '{{message.toDate("yyyy", "Mars")}}',
    '{{condition_name.extract(/^\\[(\\S+)\\].*$/, 1)}',
  ])('%j is no expression and stands as text, beside others that are filled in', (template) => {
    const compiled = compileTemplate(`{{tags}}: ${template}`);
    expect(compiled(fields)).toBe(`a, b: ${template}`);
    expect(compiled.unread).toBe(template);
  });

  it('says the first part alone that is no expression', () => {
    expect(compileTemplate('{{message}} and {{tags.x}}').unread).toBeUndefined();
    expect(compileTemplate('{{tags}} {{a.b()}} {{c.d()}}').unread).toBe('{{a.b()}}');
    expect(compileTemplate('{{a.b( {{tags}}').unread).toBe('{{a.b( ');
    expect(compileTemplate('{{a.b( {{tags}}')(fields)).toBe('{{a.b( a, b');
  });

  it('takes linear time to find that nothing in it is an expression', () => {
    for (const piece of ['{', '{{', '{{}', '{{a.', '}}', '{{a["b"]', '["b"]', '{{a.get(0)'])
      expect(compileTemplate(piece.repeat(50_000))(fields)).toHaveLength(Math.min(50_000, piece.length * 50_000));
  });

  it('never throws, whatever the text, and gives text without braces back as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '.', '(', ')', '"', ',', ' ', 'a', 'trim', '0') }),
        (text) => {
          expect(typeof compileTemplate(text)(fields)).toBe('string');
        },
      ),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('{{'));
        expect(rendered(text)).toBe(text);
      }),
    );
  });

  it('lets a pattern see the first 5000 characters, and takes linear time to distinguish a hostile one from a template', () => {
    const last = compileTemplate('{{description.extract(/(z)/)}}');
    expect(last({ description: `${'a'.repeat(4_999)}z` })).toBe('z');
    expect(last({ description: `${'a'.repeat(5_000)}z` })).toBe('');
    for (const piece of ['[', '\\\\', '[a', '(', '\\/'])
      expect(compileTemplate(`{{message.extract(/${piece.repeat(200_000)}`).unread).toBeDefined();
  });

  it('is not filled in where the budget has no room, and asks it before each call, by the length of the text (P3)', () => {
    const filled = (template: string, steps: number) => {
      const asked: number[] = [];
      const take = (more: number) => {
        asked.push(more);
        return asked.reduce((sum, each) => sum + each, 0) <= steps;
      };
      return [compileTemplate(template)({ message: 'a'.repeat(64) }, { take }), asked];
    };
    expect(filled('{{message.toLowerCase().length()}}', 133)).toEqual(['64', [3, 65, 65]]);
    expect(filled('{{message.toLowerCase().length()}}', 132)).toEqual([undefined, [3, 65, 65]]);
    expect(filled('{{message.toLowerCase().length()}}', 60)).toEqual([undefined, [3, 65]]);
    expect(filled('plain', 0)).toEqual(['plain', []]);
    expect(filled('{{message.extract(/a/, 0)}}', 10)[0]).toBeUndefined();
  });

  it('does not grow without end', () => {
    const grow = `.replace("a","${'a'.repeat(200)}")`.repeat(5);
    expect(compileTemplate(`{{message${grow}}}`)({ message: 'a' })).toHaveLength(50_000);
    expect(compileTemplate('{{description}}'.repeat(50))({ description: 'a'.repeat(15_000) })).toHaveLength(50_000);
  });

  it('keeps the longest text that an alert can have, whatever its characters', () => {
    const note = '😀'.repeat(25_000);
    expect(compileTemplate('{{note}}')({ note })).toBe(note);
    expect(compileTemplate(note)({})).toBe(note);
  });
});
