const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An instant in the zone of this machine: `Nov 30 11:04:02`, with `timeOnly` `11:04:02`; `-` for what is none. */
export function localTime(instant: string, { timeOnly = false }: { readonly timeOnly?: boolean } = {}): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '-';
  const two = (number: number) => String(number).padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return timeOnly ? time : `${months[date.getMonth()]} ${two(date.getDate())} ${time}`;
}
