/** What the page asked for is not done; the message is for the person in front of it. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
