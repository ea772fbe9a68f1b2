import { plain } from './text.ts';

/** `text` as {@link plain} makes it, in which nothing is markup of Markdown or HTML: names are text of users. */
export const markdownText = (text: string): string => plain(text).replace(/[\\`*_[\]<>#|~&]/g, '\\$&');
