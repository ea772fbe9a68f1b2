import { useState } from 'react';
import { announce } from '../shell/announcer.tsx';

/** What became of the last write of a section, for the page to show; it is read out as well. */
export function useResult(): readonly [result: string, say: (text: string) => void] {
  const [result, setResult] = useState('');
  const say = (text: string) => {
    setResult(text);
    announce(text);
  };
  return [result, say];
}
