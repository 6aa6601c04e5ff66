#include <boost/format.hpp>
std::string line(int dst, int src, int lanes) {
  boost::format f("mad (M1, %1%) V%2%(0,0)<1> V%3%(0,0)<8;8;1> a(0,0)<0;1,0> V%2%(0,0)<1;1,0>\n");
  return boost::str(f % lanes % dst % src);
}
