import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './client.ts';
import { createPages } from './router.tsx';
import { loadPartsLater } from './shell/lazy-part.tsx';
import { showStoredTheme } from './shell/theme.ts';
import { guardUnsavedInput } from './shell/unsaved.ts';
import { registerWorkerLater } from './shell/worker.ts';
import './ui/theme.css';

showStoredTheme();
guardUnsavedInput(window);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={createClient()}>
        <RouterProvider router={createPages()} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);

loadPartsLater();
registerWorkerLater();
