import { Component, type ReactNode } from 'react';

type ErrorBoundaryProps = {
  /** With another one, what failed is tried again. */
  attempt: string;
  render(error: unknown): ReactNode;
  children: ReactNode;
};

type Caught = { attempt: string; error: { value: unknown } | undefined };

/** Shows something else in place of what threw. React knows no other way than a class. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, Caught> {
  static getDerivedStateFromError(value: unknown): Partial<Caught> {
    return { error: { value } };
  }

  static getDerivedStateFromProps({ attempt }: ErrorBoundaryProps, state: Caught): Caught | null {
    return attempt === state.attempt ? null : { attempt, error: undefined };
  }

  override state: Caught = { attempt: this.props.attempt, error: undefined };

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.render(error.value) : this.props.children;
  }
}
