/** The browser behind a call of the dashboard: the only thing that can be logged in. */
export interface Browser {
  readonly address: string;
  /** The dashboard as it calls it. */
  readonly home: URL;
  readonly userAgent: string | null;
  /** The session cookie as it came; null without one. */
  readonly secret: string | null;
  /** Gives the browser its session cookie. */
  keep(secret: string, expiresAt: Date): void;
  /** Takes the session cookie back. */
  forget(): void;
}
