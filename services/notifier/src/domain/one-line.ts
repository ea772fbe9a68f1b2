/** White space of any kind and length becomes one space; control characters become one as well. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
