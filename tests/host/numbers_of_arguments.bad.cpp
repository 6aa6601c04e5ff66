#include "absl/strings/substitute.h"
#include <QString>
std::string move(int lanes, absl::string_view d, absl::string_view s) {
  return absl::Substitute("mov (M1, 16) $1(0,0)<1> $0:dw\n", lanes, d, s);
}
QString add(int lanes, const QString &d, const QString &s) {
  return QString("add (M1, %1) %2(0,0)<1> %2(0,0)<1;1,0> %3:d\n").arg(lanes).arg(d, s);
}
