/** Two sentences, with one full stop between them. */
export const withRemedy = ({
  message,
  remedy,
}: {
  readonly message: string;
  readonly remedy: string;
}): string => `${message}${/[.!?]$/.test(message) ? '' : '.'} ${remedy}`;
