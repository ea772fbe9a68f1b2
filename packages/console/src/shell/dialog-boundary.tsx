import { Component, type ReactNode } from 'react';

interface DialogBoundaryProps {
  readonly children: ReactNode;
  /** Called when the dialog failed, so that it can be opened again. */
  readonly onFail: () => void;
}

/** Keeps the page where a dialog over it fails: that one alone is gone. */
export class DialogBoundary extends Component<DialogBoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(): void {
    this.props.onFail();
  }

  override render(): ReactNode {
    return this.state.hasFailed ? undefined : this.props.children;
  }
}
