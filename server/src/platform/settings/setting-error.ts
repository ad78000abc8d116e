/** A setting that an operator has to change: the message says which one and how, and a stack would say nothing more. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
