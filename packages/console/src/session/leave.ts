import { removeDrafts } from '../shell/unsaved.ts';

/** Forgets all that one person read and typed, and begins again for the next one. */
export function leave(): void {
  removeDrafts();
  // Nothing of it can be seen or pressed until the browser has left the page, nor when its button Back brings the page again.
  document.body.hidden = true;
  window.addEventListener('pageshow', () => {
    window.location.reload();
  });
  window.location.replace('/console/');
}
