import { escapedXml } from '../xml.ts';

/** Twilio takes 4000 characters of TwiML with a call; the text is in it twice. */
const MAX_TWIML = 4_000;

/** TwiML that says `text`, and says it again. Of too long a text only the beginning, never a part of a character. */
export function spokenTwice(text: string): string {
  const characters = Array.from(text.toWellFormed());
  let twiml = twimlOf(characters.join(''));
  while (twiml.length > MAX_TWIML) {
    characters.length = Math.min(characters.length - 1, Math.floor((characters.length * MAX_TWIML) / twiml.length));
    twiml = twimlOf(characters.join(''));
  }
  return twiml;
}

function twimlOf(text: string): string {
  const say = `<Say>${escapedXml(text)}</Say>`;
  return `<Response><Pause length="1"/>${say}<Pause length="1"/>${say}</Response>`;
}
