/** Whether an `Accept-Encoding` names an encoding, and not as one that is not wanted (`q=0`). `x-gzip` is gzip. */
export function takesEncoding(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name.replace(/^x-/, '') === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
